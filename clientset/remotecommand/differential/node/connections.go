package main

import (
	"context"
	"crypto/tls"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
)

// A TLS handshake that fails because a client was cut off is no news.
func errorLog() *log.Logger { return log.New(io.Discard, "", 0) }

// cuttable is a connection that ends, once it has a limit, after that number of bytes in both directions together.
type cuttable struct {
	net.Conn

	mutex   sync.Mutex
	limited bool
	left    int
}

func (c *cuttable) limit(bytes int) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.limited, c.left = true, bytes
}

// take returns how many of the bytes may pass.
func (c *cuttable) take(bytes int) int {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if !c.limited || bytes <= 0 {
		return bytes
	}
	bytes = min(bytes, c.left)
	c.left -= bytes
	return bytes
}

func (c *cuttable) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	allowed := c.take(n)
	if allowed < n {
		c.Conn.Close()
		return allowed, io.ErrUnexpectedEOF
	}
	return n, err
}

func (c *cuttable) Write(b []byte) (int, error) {
	allowed := c.take(len(b))
	n, err := c.Conn.Write(b[:allowed])
	if err == nil && allowed < len(b) {
		c.Conn.Close()
		err = io.ErrClosedPipe
	}
	return n, err
}

type cuttableListener struct{ net.Listener }

func (l cuttableListener) Accept() (net.Conn, error) {
	connection, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &cuttable{Conn: connection}, nil
}

type connectionKey struct{}

// withConnection is for http.Server.ConnContext.
func withConnection(ctx context.Context, connection net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, connection.(*tls.Conn).NetConn())
}

func connectionOf(request *http.Request) *cuttable {
	return request.Context().Value(connectionKey{}).(*cuttable)
}
