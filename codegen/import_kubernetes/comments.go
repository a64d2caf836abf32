package main

import (
	"fmt"
	"go/ast"
	"regexp"
	"strings"
)

// The comments of constants are ours: a line for each, in the tables coreComments, coreNameComments, metaComments and
// groupComments. ": PodPhase" begins the constants of a Go type; ": core" begins those of a group that have no type, or
// a type of another package. A line is "PodPending: what it means". Versions of a group share them.

// The longest comment that fits a line of C++ behind "// ".
const maxComment = 97

var constantComments = readComments(coreComments, coreNameComments, metaComments, groupComments)

// readComments gives comments by "PodPhase.PodPending".
func readComments(tables ...string) map[string]string {
	comments := map[string]string{}
	section := ""
	for _, table := range tables {
		for line := range strings.SplitSeq(strings.TrimSpace(table), "\n") {
			if name, ok := strings.CutPrefix(line, ": "); ok {
				section = name
				continue
			}
			name, comment, ok := strings.Cut(line, ": ")
			key := section + "." + name
			if _, double := comments[key]; !ok || double {
				panic(fmt.Sprintf("table of comments: %q", line))
			}
			comments[key] = comment
		}
	}
	return comments
}

// setComments gives each constant of a file its comment. One that the tables lack gets a comment that says where it is
// used, and a note.
func (c *converter) setComments(file *protoFile) {
	group, _, _ := strings.Cut(file.folder, "/")
	for i := range file.stringTypes {
		t := &file.stringTypes[i]
		section := t.name
		if section == "" {
			section = group
		}
		for j := range t.constants {
			each := &t.constants[j]
			each.comment = constantComments[section+"."+each.name]
			c.commented[section+"."+each.name] = true
			if each.comment == "" && t.name == "Signal" {
				each.comment = "Ends a container by " + each.value + "."
			}
			if each.comment == "" {
				each.comment = whereUsed(file, t.name)
				c.uncommented = append(c.uncommented, section+"."+each.name)
			}
		}
	}
}

// commentNotes tells where the tables of comments are behind the modules, or ahead.
func (c *converter) commentNotes() []string {
	var notes []string
	for _, name := range c.uncommented {
		notes = append(notes, "constant "+name+" has no comment of its own: comments.go says where")
	}
	for _, name := range sortedKeys(constantComments) {
		if !c.commented[name] {
			notes = append(notes, "comment of "+name+": there is no such constant")
		}
	}
	return notes
}

// whereUsed says of which field a string type's constants are values.
func whereUsed(file *protoFile, typeName string) string {
	if typeName == "" {
		return "A name of group version " + file.folder + "."
	}
	for _, m := range file.messages {
		for _, f := range m.fields {
			if f.stringType == typeName {
				return "A value of " + m.name + "." + f.jsonName + "."
			}
		}
	}
	return "A value of type " + typeName + "."
}

// Comments are facts, and what they are facts of is upstream's; its sentences are not.

var sentenceEnd = regexp.MustCompile(`[.;:]\s+|\n\s*\n|\n\s*[-*]`)

// sentencesOf gives what the comments of files say, sentence by sentence, as normalized gives them.
func sentencesOf(files []*ast.File) map[string]bool {
	found := map[string]bool{}
	for _, file := range files {
		for _, group := range file.Comments {
			for _, sentence := range sentenceEnd.Split(group.Text(), -1) {
				found[normalized(sentence)] = true
			}
		}
	}
	return found
}

// normalized is a sentence in lower case, its words apart by one space, without the end and the mark
// of a list.
func normalized(sentence string) string {
	return strings.ToLower(strings.TrimLeft(strings.TrimRight(strings.Join(strings.Fields(sentence), " "), ".;:"), "-* "))
}

// checkComments fails where a comment of ours is too long for a line, or has a sentence of the Go package.
func checkComments(file *protoFile, pkg *goPackage) error {
	theirs := sentencesOf(pkg.files)
	for _, t := range file.stringTypes {
		for _, each := range t.constants {
			if len(each.comment) > maxComment {
				return fmt.Errorf("comment of %s in %s: it has more than %d characters", each.name, file.folder, maxComment)
			}
			for _, sentence := range sentenceEnd.Split(each.comment, -1) {
				if isSentence(sentence) && theirs[normalized(sentence)] {
					return fmt.Errorf("comment of %s in %s: upstream says so, word by word: %q", each.name, file.folder, sentence)
				}
			}
		}
	}
	return nil
}

// isSentence tells sentences from names and the like ("No effect"), which there is only one way to say.
func isSentence(text string) bool { return len(strings.Fields(text)) > 3 }
