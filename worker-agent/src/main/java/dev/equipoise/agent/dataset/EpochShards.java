package dev.equipoise.agent.dataset;

import dev.equipoise.protocol.Position;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Shards of each epoch; an epoch without new shares has those of the one before. One thread uses
 * it.
 */
public final class EpochShards {

    private final Shards first;

    /** New shards by the epoch that begins with them. */
    private final NavigableMap<Integer, Shards> changes = new TreeMap<>();

    private int resumed;
    private @Nullable Shards remaining;

    public EpochShards(Shards first) {
        this.first = first;
    }

    /**
     * Returns the shards of an epoch; the latest known ones for later epochs.
     *
     * @param epoch from 1
     */
    public Shards of(int epoch) {
        return remaining != null && epoch == resumed ? remaining : whole(epoch);
    }

    private Shards whole(int epoch) {
        Map.Entry<Integer, Shards> change = changes.floorEntry(epoch);
        return change == null ? first : change.getValue();
    }

    /** Continues from a position up to which other ranks have trained. */
    public void resume(Position from) {
        resumed = from.epoch();
        remaining = whole(from.epoch()).after(from.round(), from.sample());
    }

    /**
     * Sets the shares of an epoch and of those after it.
     *
     * @param epoch from 1, later than all epochs set before
     */
    public void from(int epoch, List<Integer> shares) {
        Shards last = whole(epoch);
        changes.put(
                epoch, shares.equals(last.shares()) ? last : new Shards(shares, first.rounds()));
    }
}
