package io.github.penstock.lua.maven.script;

import io.github.penstock.lua.maven.header.ScriptHeader;
import io.github.penstock.lua.maven.syntax.Chunk;
import java.util.SortedSet;

/**
 * A script that broke no rule.
 *
 * @param name its name
 * @param header its header
 * @param source its flattened source
 * @param chunk that source, parsed
 * @param commands the server commands it uses, in upper case
 */
public record CheckedScript(
    String name, ScriptHeader header, String source, Chunk chunk, SortedSet<String> commands) {}
