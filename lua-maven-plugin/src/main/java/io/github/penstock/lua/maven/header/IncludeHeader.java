package io.github.penstock.lua.maven.header;

import java.util.List;

/**
 * The comment at the top of an include, as data.
 *
 * @param line the line (from 1) on which its sentence begins
 * @param sentence the lines of that sentence
 * @param end the line on which the comment ends
 * @param takes its parameters
 * @param reads the local variables of others that it reads
 * @param sets the variables that it leaves behind: those of others that it assigns, and its own
 *     that stay visible; {@code $name} is the variable that a parameter names
 */
public record IncludeHeader(
    int line, List<String> sentence, int end, NameRow takes, NameRow reads, NameRow sets) {}
