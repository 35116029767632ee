package dev.equipoise.agent.dataset;

import java.util.ArrayList;
import java.util.List;

/** The shards of every epoch: the same ones, until others are told. One thread uses it. */
public final class EpochShards {

    /** From the first epoch. */
    private final List<Shards> told = new ArrayList<>();

    public EpochShards(Shards first) {
        told.add(first);
    }

    /**
     * Those of an epoch, as far as it is known.
     *
     * @param epoch from 1
     */
    public Shards of(int epoch) {
        return told.get(Math.min(epoch, told.size()) - 1);
    }

    /** Tells those of the epoch after the last of which they were told. */
    public void next(List<Integer> shares) {
        Shards last = told.getLast();
        told.add(shares.equals(last.shares()) ? last : new Shards(shares, last.rounds()));
    }
}
