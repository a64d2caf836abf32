package main

import (
	"bufio"
	"bytes"
	"crypto/sha1"
	"encoding/base64"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// memoryConn is a connection whose input is known and whose output is kept.
type memoryConn struct {
	// Returns what comes before the input, given what was written until the first read; or nil.
	respond func(written []byte) string

	mutex sync.Mutex
	in    io.Reader
	out   bytes.Buffer
}

func (c *memoryConn) Read(p []byte) (int, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.respond != nil {
		c.in = io.MultiReader(strings.NewReader(c.respond(c.out.Bytes())), c.in)
		c.respond = nil
		c.out.Reset()
	}
	return c.in.Read(p)
}

func (c *memoryConn) Write(p []byte) (int, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.out.Write(p)
}

// takeWritten returns what was written since the last call.
func (c *memoryConn) takeWritten() []byte {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	written := bytes.Clone(c.out.Bytes())
	c.out.Reset()
	return written
}

func (c *memoryConn) Close() error                     { return nil }
func (c *memoryConn) LocalAddr() net.Addr              { return &net.TCPAddr{} }
func (c *memoryConn) RemoteAddr() net.Addr             { return &net.TCPAddr{} }
func (c *memoryConn) SetDeadline(time.Time) error      { return nil }
func (c *memoryConn) SetReadDeadline(time.Time) error  { return nil }
func (c *memoryConn) SetWriteDeadline(time.Time) error { return nil }

// hijacker is the writer of a response whose connection is taken over.
type hijacker struct {
	conn *memoryConn
}

func (h *hijacker) Header() http.Header         { return http.Header{} }
func (h *hijacker) Write(p []byte) (int, error) { return h.conn.Write(p) }
func (h *hijacker) WriteHeader(int)             {}
func (h *hijacker) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return h.conn, bufio.NewReadWriter(bufio.NewReader(h.conn), bufio.NewWriter(h.conn)), nil
}

// acceptOf returns the Sec-WebSocket-Accept of a key.
func acceptOf(key string) string {
	hash := sha1.Sum([]byte(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
	return base64.StdEncoding.EncodeToString(hash[:])
}
