package penstock

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// Vectors reads a file of vectors.
func Vectors(t *testing.T, name string, file any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(os.Getenv("PENSTOCK_VECTORS"), name+".json"))
	if err == nil {
		err = json.Unmarshal(text, file)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Replayed reports a case of the vectors, such as keys.keys and 0.
func Replayed(t *testing.T, cases string, at int) {
	t.Helper()
	name, ok := os.LookupEnv("PENSTOCK_REPLAYED")
	if !ok {
		return
	}
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = fmt.Fprintf(file, "%s:%d\n", cases, at)
		_ = file.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}
