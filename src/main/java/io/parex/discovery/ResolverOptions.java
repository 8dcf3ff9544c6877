package io.parex.discovery;

import java.time.Duration;

/**
 * How names are looked up.
 *
 * @param family the addresses wanted
 * @param first the family that comes first where a name has both: one that this host has
 * @param queryTimeout the time a server has for one question
 * @param tries how often a question is asked, at least once of every server
 * @param grace how long, with the addresses of one family at hand, those of the other are waited for
 * @param maxTtl the longest time for which an answer is used again, whatever its record says
 */
record ResolverOptions(
        AddressFamily family, AddressFamily first, Duration queryTimeout, int tries, Duration grace, Duration maxTtl) {

    static ResolverOptions of(AddressFamily family, AddressFamily first) {
        return new ResolverOptions(
                family, first, Duration.ofSeconds(2), 2, Duration.ofMillis(50), Duration.ofSeconds(5));
    }

    ResolverOptions withQueryTimeout(Duration timeout) {
        return new ResolverOptions(family, first, timeout, tries, grace, maxTtl);
    }

    ResolverOptions withGrace(Duration newGrace) {
        return new ResolverOptions(family, first, queryTimeout, tries, newGrace, maxTtl);
    }
}
