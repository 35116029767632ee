package dev.equipoise.benchmarks.exchange;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * What {@code bench gossip} finds for one number of ranks.
 *
 * @param bytes of the vector
 * @param seconds of one exchange, until all ranks have theirs; the ranks share this machine's
 *     cores, so it grows with P as soon as these are busy
 * @param threadSeconds of processor time that one exchange costs a rank, which is what it would
 *     take on a core of its own
 * @param bytesSent by one rank in one exchange, headers included
 */
record GossipFigure(
        int ranks,
        long bytes,
        double seconds,
        @JsonProperty("thread_seconds") double threadSeconds,
        @JsonProperty("bytes_sent") long bytesSent) {}
