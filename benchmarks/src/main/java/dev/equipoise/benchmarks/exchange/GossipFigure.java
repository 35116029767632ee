package dev.equipoise.benchmarks.exchange;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * Result of {@code bench gossip} for one number of ranks.
 *
 * @param bytes of the vector
 * @param seconds of one exchange, until all ranks are done; the ranks share this machine's cores,
 *     so it grows with P once these are busy
 * @param threadSeconds processor time of a rank per exchange, the time that it would take on its
 *     own core
 * @param bytesSent by one rank per exchange, with headers
 */
record GossipFigure(
        int ranks,
        long bytes,
        double seconds,
        @JsonProperty("thread_seconds") double threadSeconds,
        @JsonProperty("bytes_sent") long bytesSent) {}
