package dev.equipoise.agent.dataset;

import dev.equipoise.protocol.Position;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The shards of every epoch: the same ones, until others are told. One thread uses it. */
public final class EpochShards {

    /** From the first epoch. */
    private final List<Shards> told = new ArrayList<>();

    private int resumed;
    private @Nullable Shards rest;

    public EpochShards(Shards first) {
        told.add(first);
    }

    /**
     * Those of an epoch, as far as it is known.
     *
     * @param epoch from 1
     */
    public Shards of(int epoch) {
        return rest != null && epoch == resumed ? rest : told.get(Math.min(epoch, told.size()) - 1);
    }

    /** Others have trained up to there. */
    public void resume(Position from) {
        resumed = from.epoch();
        rest = told.getFirst().after(from.round(), from.sample());
    }

    /** Tells those of the epoch after the last of which they were told. */
    public void next(List<Integer> shares) {
        Shards last = told.getLast();
        told.add(shares.equals(last.shares()) ? last : new Shards(shares, last.rounds()));
    }
}
