package io.github.penstock.core.spi;

/** The rules of {@code vectors/errors.json}. Written by packages/generate; do not edit. */
final class ErrorRules {
  static final String TEXT =
      """
      redirect NOSCRIPT
      redirect MOVED
      redirect ASK
      unavailable LOADING
      unavailable BUSY
      unavailable READONLY
      unavailable CLUSTERDOWN
      unavailable MASTERDOWN
      unavailable TRYAGAIN
      unavailable MISCONF
      unavailable NOREPLICAS
      unavailable ERR max number of clients
      overloaded OOM
      misconfigured NOPERM
      misconfigured NOAUTH
      misconfigured WRONGPASS
      misconfigured DENIED
      misconfigured WRONGTYPE
      misconfigured CROSSSLOT
      misconfigured ERR invalid password
      misconfigured ERR AUTH <password> called without any password configured
      misconfigured ERR Client sent AUTH, but no password is set
      misconfigured ERR wrong number of arguments for 'auth' command
      misconfigured ERR unknown command
      misconfigured ERR unknown subcommand
      misconfigured ERR ACL failure in script
      misconfigured ERR The user executing the script can't
      misconfigured Write commands not allowed after non deterministic commands
      misconfigured ERR DB index is out of range
      misconfigured ERR invalid DB index
      misconfigured ERR SELECT is not allowed in cluster mode
      misconfigured ERR This instance has cluster support disabled
      misconfigured ERR No such master with that name
      misconfigured ERR Function not found
      misconfigured ERR penstock
      """;

  private ErrorRules() {}
}
