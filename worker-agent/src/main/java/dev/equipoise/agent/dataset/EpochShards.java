package dev.equipoise.agent.dataset;

import dev.equipoise.protocol.Position;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Shards of each epoch; an epoch without new shares has those of the one before. One thread uses
 * it.
 */
public final class EpochShards {

    /** Shards from the first epoch on. */
    private final List<Shards> known = new ArrayList<>();

    private int resumed;
    private @Nullable Shards remaining;

    public EpochShards(Shards first) {
        known.add(first);
    }

    /**
     * Returns the shards of an epoch; the latest known ones for later epochs.
     *
     * @param epoch from 1
     */
    public Shards of(int epoch) {
        return remaining != null && epoch == resumed
                ? remaining
                : known.get(Math.min(epoch, known.size()) - 1);
    }

    /** Continues from a position up to which other ranks have trained. */
    public void resume(Position from) {
        resumed = from.epoch();
        remaining = known.getFirst().after(from.round(), from.sample());
    }

    /** Appends the shares of the next epoch. */
    public void next(List<Integer> shares) {
        Shards last = known.getLast();
        known.add(shares.equals(last.shares()) ? last : new Shards(shares, last.rounds()));
    }
}
