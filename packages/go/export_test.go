package penstock

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// Vectors reads a file of vectors, which packages/test or the repository has.
func Vectors(t *testing.T, name string, file any) {
	t.Helper()
	folder := cmp.Or(os.Getenv("PENSTOCK_VECTORS"), "../../lua/vectors")
	if _, err := os.Stat(folder); os.IsNotExist(err) {
		t.Skip("the vectors are in lua/vectors of the repository, which is not here")
	}
	text, err := os.ReadFile(filepath.Join(folder, name+".json"))
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
