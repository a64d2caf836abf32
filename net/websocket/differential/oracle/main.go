// Command websocket_oracle answers what the WebSocket code of Kubernetes' clients and servers makes of bytes. A request is the
// name of a function, a tab, and a text in hexadecimal; the answer is the function's result:
//
//	read_as_server	frames of a client -> what gorilla/websocket reads, and what it answers
//	read_as_client	the same for frames of a server
//	write_as_server	a script of messages (see write) -> the frames of gorilla/websocket, in hexadecimal
//	write_as_client	the same for a client
//	answer		the request of a handshake -> the answer of k8s.io/streaming, a Kubernetes server
//	check		an answer to a handshake -> what client-go makes of it
package main

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gorilla/websocket"
	"k8s.io/streaming/pkg/httpstream/wsstream"

	"kube/tests/oracle"
)

const request = "GET / HTTP/1.1\r\nHost: host\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n" +
	"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"

const response = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
	"Sec-WebSocket-Accept: {accept}\r\n\r\n"

// Small enough that messages are fragmented, and large enough for control frames.
const bufferBytes = 130

// What a script takes, and no more: nothing waits here.
func deadline() time.Time { return time.Now().Add(time.Minute) }

// The side of a server, after its handshake.
func newServer(c *memoryConn) *websocket.Conn {
	r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(request)))
	oracle.Check(err)
	upgrader := websocket.Upgrader{ReadBufferSize: 1024, WriteBufferSize: bufferBytes}
	ws, err := upgrader.Upgrade(&hijacker{conn: c}, r, nil)
	oracle.Check(err)
	c.takeWritten()
	return ws
}

// Answers a client's request with the text, in which {accept} stands for the right answer to its key.
func answerWith(text string) func(written []byte) string {
	return func(written []byte) string {
		r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(written)))
		oracle.Check(err)
		return strings.ReplaceAll(text, "{accept}", acceptOf(r.Header.Get("Sec-WebSocket-Key")))
	}
}

func newClient(c *memoryConn) *websocket.Conn {
	c.respond = answerWith(response)
	ws, _, err := websocket.NewClient(c, &url.URL{Scheme: "ws", Host: "host", Path: "/"}, http.Header{}, 1024, bufferBytes)
	oracle.Check(err)
	return ws
}

var messageNames = map[int]string{websocket.TextMessage: "text", websocket.BinaryMessage: "binary"}

// read reads everything, answers pings, and describes it, down to the error in the end.
func read(ws *websocket.Conn) string {
	var events []string
	ws.SetPingHandler(func(data string) error {
		events = append(events, fmt.Sprintf("ping %x", data))
		return ws.WriteControl(websocket.PongMessage, []byte(data), deadline())
	})
	ws.SetPongHandler(func(data string) error {
		events = append(events, fmt.Sprintf("pong %x", data))
		return nil
	})
	for {
		kind, data, err := ws.ReadMessage()
		if err != nil {
			return strings.Join(append(events, err.Error()), ";")
		}
		events = append(events, fmt.Sprintf("%s %x", messageNames[kind], data))
	}
}

func readAsServer(text string) (string, error) {
	c := &memoryConn{in: strings.NewReader(text)}
	events := read(newServer(c))
	return fmt.Sprintf("%s out=%x", events, c.takeWritten()), nil
}

func readAsClient(text string) (string, error) {
	c := &memoryConn{in: strings.NewReader(text)}
	events := read(newClient(c))
	return fmt.Sprintf("%s out=%x", events, unmasked(c.takeWritten())), nil
}

// unmasked returns control frames of a client as a server would write them.
func unmasked(frames []byte) []byte {
	var result []byte
	for len(frames) > 0 {
		size := int(frames[1] & 0x7f)
		key, payload := frames[2:6], frames[6:6+size]
		result = append(result, frames[0], byte(size))
		for i, b := range payload {
			result = append(result, b^key[i%4])
		}
		frames = frames[6+size:]
	}
	return result
}

var messageKinds = map[string]int{
	"text":   websocket.TextMessage,
	"binary": websocket.BinaryMessage,
	"ping":   websocket.PingMessage,
	"pong":   websocket.PongMessage,
	"close":  websocket.CloseMessage,
}

// write carries out the lines of a script: "text" and "binary" begin a message, "part HEX" continues and "end" ends it; "ping HEX",
// "pong HEX" and "close HEX" are control frames with that payload.
func write(ws *websocket.Conn, script string) {
	var writer io.WriteCloser
	for _, line := range strings.Split(script, "\n") {
		name, digits, _ := strings.Cut(line, " ")
		data, err := hex.DecodeString(digits)
		oracle.Check(err)
		switch name {
		case "text", "binary":
			writer, err = ws.NextWriter(messageKinds[name])
		case "part":
			_, err = writer.Write(data)
		case "end":
			err = writer.Close()
		case "ping", "pong", "close":
			err = ws.WriteControl(messageKinds[name], data, deadline())
		default:
			err = fmt.Errorf("no step %q", name)
		}
		oracle.Check(err)
	}
}

func writeAs(newSide func(*memoryConn) *websocket.Conn) func(script string) (string, error) {
	return func(script string) (string, error) {
		c := &memoryConn{in: strings.NewReader("")}
		write(newSide(c), script)
		return hex.EncodeToString(c.takeWritten()), nil
	}
}

// answer has k8s.io/streaming answer a request: the status, and if it is 101 the accept and the subprotocol.
func answer(text string) (string, error) {
	r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(text)))
	oracle.Check(err)
	c := &memoryConn{in: strings.NewReader("")}
	channels := []wsstream.ChannelType{wsstream.ReadWriteChannel}
	conn := wsstream.NewConn(map[string]wsstream.ChannelProtocolConfig{
		"":                  {Binary: true, Channels: channels},
		"v4.channel.k8s.io": {Binary: true, Channels: channels},
		"v5.channel.k8s.io": {Binary: true, Channels: channels},
	})
	// It fails where the handshake does, and may do so where the client says nothing after it.
	_, _, _ = conn.Open(&hijacker{conn: c}, r)
	answered, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(c.takeWritten())), r)
	if err != nil {
		return "", err
	}
	if answered.StatusCode != http.StatusSwitchingProtocols {
		return strconv.Itoa(answered.StatusCode), nil
	}
	return fmt.Sprintf("101 %s %s", answered.Header.Get("Sec-WebSocket-Accept"),
		answered.Header.Get("Sec-WebSocket-Protocol")), nil
}

// check has a client that offers two subprotocols read an answer, and then does as client-go's transport/websocket.
func check(text string) (string, error) {
	offered := []string{"v5.channel.k8s.io", "v4.channel.k8s.io"}
	c := &memoryConn{in: strings.NewReader(""), respond: answerWith(text)}
	header := http.Header{"Sec-Websocket-Protocol": []string{strings.Join(offered, ", ")}}
	ws, answered, err := websocket.NewClient(c, &url.URL{Scheme: "ws", Host: "host", Path: "/"}, header, 1024, 1024)
	if errors.Is(err, websocket.ErrBadHandshake) && answered.StatusCode != http.StatusSwitchingProtocols {
		return "", fmt.Errorf("%w (%s)", err, answered.Status)
	}
	if err != nil {
		return "", err
	}
	for _, protocol := range offered {
		if protocol == ws.Subprotocol() {
			return protocol, nil
		}
	}
	return "", fmt.Errorf("invalid protocol, expected one of %q, got %q", offered, ws.Subprotocol())
}

var functions = map[string]func(string) (string, error){
	"read_as_server":  readAsServer,
	"read_as_client":  readAsClient,
	"write_as_server": writeAs(newServer),
	"write_as_client": writeAs(newClient),
	"answer":          answer,
	"check":           check,
}

func main() { oracle.Serve(functions) }
