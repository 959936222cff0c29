module github.com/penstock/penstock/packages/go

go 1.23
