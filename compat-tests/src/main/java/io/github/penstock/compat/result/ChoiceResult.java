package io.github.penstock.compat.result;

/**
 * The ends of a client's calls that are to be allowed in an outage, while something is wrong.
 *
 * @param client name and version
 * @param failure the error
 * @param calls how many were made
 * @param open how many were allowed though no server decided them
 * @param denied how many were denied
 * @param thrown how many failed
 */
public record ChoiceResult(
    String client, String failure, long calls, long open, long denied, long thrown) {}
