package main

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/moby/spdystream"

	"kube/tests/oracle"
)

// memoryConn is a connection whose input is known and whose output is kept.
type memoryConn struct {
	in io.Reader
	// Input begins when the first is closed, and ends when the second is, too.
	begin, end chan struct{}

	mutex sync.Mutex
	out   bytes.Buffer
}

func newMemoryConn(in string) *memoryConn {
	return &memoryConn{in: strings.NewReader(in), begin: make(chan struct{}), end: make(chan struct{})}
}

func (c *memoryConn) Read(p []byte) (int, error) {
	<-c.begin
	n, err := c.in.Read(p)
	if err == io.EOF {
		<-c.end
	}
	return n, err
}

func (c *memoryConn) Write(p []byte) (int, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.out.Write(p)
}

func (c *memoryConn) written() string {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return hex.EncodeToString(c.out.Bytes())
}

func (c *memoryConn) Close() error                     { return nil }
func (c *memoryConn) LocalAddr() net.Addr              { return &net.TCPAddr{} }
func (c *memoryConn) RemoteAddr() net.Addr             { return &net.TCPAddr{} }
func (c *memoryConn) SetDeadline(time.Time) error      { return nil }
func (c *memoryConn) SetReadDeadline(time.Time) error  { return nil }
func (c *memoryConn) SetWriteDeadline(time.Time) error { return nil }

// echo accepts a stream and sends back what it carries.
func echo(stream *spdystream.Stream, done func()) {
	oracle.Check(stream.SendReply(http.Header{}, false))
	go func() {
		defer done()
		_, err := io.Copy(stream, stream)
		oracle.Check(err)
		oracle.Check(stream.Close())
	}()
}

// serve ends when this number of streams has ended on both sides.
func serve(text string) (string, error) {
	count, rest, _ := strings.Cut(text, "\n")
	c := newMemoryConn(rest)
	close(c.begin)
	connection, err := spdystream.NewConnection(c, true)
	oracle.Check(err)
	var open sync.WaitGroup
	open.Add(int(number(count)))
	go func() {
		open.Wait()
		close(c.end)
	}()
	connection.Serve(func(stream *spdystream.Stream) { echo(stream, open.Done) })
	return c.written(), nil
}

// dial writes everything before it reads: the answers are known already.
func dial(text string) (string, error) {
	payloads, rest, _ := strings.Cut(text, "\n")
	c := newMemoryConn(rest)
	connection, err := spdystream.NewConnection(c, false)
	oracle.Check(err)
	var streams []*spdystream.Stream
	for i, payload := range strings.Split(payloads, " ") {
		headers := http.Header{}
		headers.Set("streamType", "data")
		headers.Set("requestID", fmt.Sprint(i))
		stream, err := connection.CreateStream(headers, nil, false)
		oracle.Check(err)
		_, err = stream.Write([]byte(plain(payload)))
		oracle.Check(err)
		oracle.Check(stream.Close())
		streams = append(streams, stream)
	}
	var open sync.WaitGroup
	received := make([]string, len(streams))
	for i, stream := range streams {
		open.Add(1)
		go func() {
			defer open.Done()
			data, err := io.ReadAll(stream)
			oracle.Check(err)
			received[i] = hex.EncodeToString(data)
		}()
	}
	go func() {
		open.Wait()
		close(c.end)
	}()
	close(c.begin)
	connection.Serve(spdystream.NoOpStreamHandler)
	return c.written() + " " + strings.Join(received, " "), nil
}
