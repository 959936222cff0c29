/**
 * The Lua scripts of Penstock as constants. Everything here but this page is generated from their
 * sources and checked against them by the build.
 */
package io.github.penstock.scripts;
