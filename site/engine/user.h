/* In place of luaconf.h's choice: wasi-libc has no setjmp, so the host throws and catches. And %d takes 64 bits, as in a server. */
typedef void (*protected_function)(void *, void *);
__attribute__((import_module("host"), import_name("attempt"))) int host_attempt(void *f, void *L, void *ud);
__attribute__((import_module("host"), import_name("fail"), noreturn)) void host_fail(void);
#define LUAI_THROW(L, c) host_fail()
#define LUAI_TRY(L, c, a) { if (host_attempt((void *)f, L, ud) && (c)->status == 0) (c)->status = -1; }
#define luai_jmpbuf int
#define LUA_USELONGLONG
