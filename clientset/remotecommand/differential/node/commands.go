package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"

	"k8s.io/client-go/util/exec"
	"k8s.io/cri-streaming/pkg/streaming"
	"k8s.io/cri-streaming/pkg/streaming/remotecommand"
)

// containers stands for a container runtime. A command is a name of commands, below, and arguments.
type containers struct {
	services services
}

var _ streaming.Runtime = &containers{}

// process is a command that runs. Its streams are never nil.
type process struct {
	args           []string
	stdin          io.Reader
	stdout, stderr io.WriteCloser
	resize         <-chan remotecommand.TerminalSize
}

type nothing struct{}

func (nothing) Write(b []byte) (int, error) { return len(b), nil }
func (nothing) Close() error                { return nil }

// run starts a command and waits for it.
func run(id string, p *process, tty bool, command func(*process) error) error {
	parts := strings.Split(id, "/")
	if isOf(parts[1], crashed) {
		return errors.New("cannot exec in a stopped container")
	}
	if p.stdin == nil {
		p.stdin = strings.NewReader("")
	}
	if p.stdout == nil {
		p.stdout = nothing{}
	}
	if p.stderr == nil {
		p.stderr = nothing{}
	}
	if tty {
		p.stderr = p.stdout
	}
	err := command(p)
	if parts[2] != untidy {
		_ = p.stdout.Close()
		_ = p.stderr.Close()
	}
	return err
}

func (c *containers) Exec(_ context.Context, id string, cmd []string, in io.Reader, out, err io.WriteCloser, tty bool,
	resize <-chan remotecommand.TerminalSize) error {
	command := commands[cmd[0]]
	if command == nil {
		return fmt.Errorf("exec: %q: executable file not found in $PATH", cmd[0])
	}
	return run(id, &process{args: cmd[1:], stdin: in, stdout: out, stderr: err, resize: resize}, tty, command)
}

// Attach attaches to a main process that says hello, and then does what script does.
func (c *containers) Attach(_ context.Context, id string, in io.Reader, out, err io.WriteCloser, tty bool,
	resize <-chan remotecommand.TerminalSize) error {
	return run(id, &process{stdin: in, stdout: out, stderr: err, resize: resize}, tty, func(p *process) error {
		if _, err := fmt.Fprintln(p.stdout, "hello"); err != nil {
			return err
		}
		return script(p)
	})
}

// PortForward copies until the service has ended its side.
func (c *containers) PortForward(_ context.Context, _ string, port int32, stream io.ReadWriteCloser) error {
	address := c.services[port]
	if address == "" {
		return fmt.Errorf("failed to connect to localhost:%d inside namespace: dial tcp4 127.0.0.1:%d: connect: connection refused",
			port, port)
	}
	connection, err := net.Dial("tcp", address)
	if err != nil {
		return err
	}
	defer connection.Close()
	go func() {
		_, _ = io.Copy(connection, stream)
		_ = connection.(*net.TCPConn).CloseWrite()
	}()
	_, err = io.Copy(stream, connection)
	return err
}

// ---- What the commands do.

var commands = map[string]func(*process) error{
	"args":    args,
	"cat":     cat,
	"count":   count,
	"deaf":    deaf,
	"discard": discard,
	"exit":    exit,
	"fail":    fail,
	"flood":   flood,
	"late":    late,
	"script":  script,
	"sizes":   sizes,
	"write":   write,
}

// number returns an argument. A mistake of a test ends its connection: net/http recovers.
func (p *process) number(i int) int {
	n, err := strconv.Atoi(p.args[i])
	if err != nil {
		panic(err)
	}
	return n
}

func exitWith(code int) error {
	if code == 0 {
		return nil
	}
	return exec.CodeExitError{Err: fmt.Errorf("command terminated with exit code %d", code), Code: code}
}

// args ARGUMENT...: prints each argument as a line, quoted.
func args(p *process) error {
	for _, arg := range p.args {
		if _, err := fmt.Fprintf(p.stdout, "%q\n", arg); err != nil {
			return err
		}
	}
	return nil
}

// cat: copies stdin to stdout.
func cat(p *process) error {
	_, err := io.Copy(p.stdout, p.stdin)
	return err
}

// count: reads stdin to its end, and prints how many bytes it had, and their SHA-256.
func count(p *process) error {
	hash := sha256.New()
	size, err := io.Copy(hash, p.stdin)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.stdout, "%d %x\n", size, hash.Sum(nil))
	return err
}

// discard: reads stdin to its end, and prints how many bytes it had.
func discard(p *process) error {
	size, err := io.Copy(io.Discard, p.stdin)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.stdout, "%d\n", size)
	return err
}

// deaf MILLISECONDS: ends after a while, and does not read stdin meanwhile.
func deaf(p *process) error {
	time.Sleep(time.Duration(p.number(0)) * time.Millisecond)
	_, err := fmt.Fprintln(p.stdout, "woke up")
	return err
}

// exit CODE: ends at once.
func exit(p *process) error { return exitWith(p.number(0)) }

// fail TEXT: could not be run.
func fail(p *process) error { return errors.New(p.args[0]) }

// flood: writes to stdout until that fails.
func flood(p *process) error { return writePattern(p.stdout, 1<<62, 1) }

// late MILLISECONDS CODE: ends its output at once, and itself after a while.
func late(p *process) error {
	if _, err := fmt.Fprintln(p.stdout, "done"); err != nil {
		return err
	}
	_ = p.stdout.Close()
	_ = p.stderr.Close()
	time.Sleep(time.Duration(p.number(0)) * time.Millisecond)
	return exitWith(p.number(1))
}

// sizes N: prints N sizes of its terminal.
func sizes(p *process) error {
	for range p.number(0) {
		size, ok := <-p.resize
		if !ok {
			return errors.New("the sizes have ended")
		}
		if _, err := fmt.Fprintf(p.stdout, "%dx%d\n", size.Width, size.Height); err != nil {
			return err
		}
	}
	return nil
}

// write TARGET BYTES SEED: writes a pattern to stdout, to stderr or, with another seed for stderr, to both by turns.
func write(p *process) error {
	size, seed := int64(p.number(1)), uint64(p.number(2))
	switch p.args[0] {
	case "stdout":
		return writePattern(p.stdout, size, seed)
	case "stderr":
		return writePattern(p.stderr, size, seed)
	}
	one, other := newPattern(seed), newPattern(seed+1)
	for size > 0 {
		n := min(size, pieceBytes)
		if _, err := p.stdout.Write(one.next(n)); err != nil {
			return err
		}
		if _, err := p.stderr.Write(other.next(n)); err != nil {
			return err
		}
		size -= n
	}
	return nil
}

// drain reads stdin to its end, for a second at most. The streaming server closes the connection as soon as a command has ended.
// If something of stdin arrives later, the system resets the connection, and what the client has not read yet is lost: with every
// client, now and then.
func drain(stdin io.Reader) {
	ended := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, stdin)
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(time.Second):
	}
}

// script: does what the lines of stdin say: "out TEXT", "err TEXT", "size" for the next size of the terminal, "exit CODE".
func script(p *process) error {
	lines := bufio.NewScanner(p.stdin)
	for lines.Scan() {
		word, rest, _ := strings.Cut(lines.Text(), " ")
		var err error
		switch word {
		case "out":
			_, err = fmt.Fprintln(p.stdout, rest)
		case "err":
			_, err = fmt.Fprintln(p.stderr, rest)
		case "size":
			err = sizes(&process{args: []string{"1"}, stdout: p.stdout, resize: p.resize})
		case "exit":
			drain(p.stdin)
			p.args = []string{rest}
			return exit(p)
		}
		if err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(p.stdout, "end of input")
	return err
}
