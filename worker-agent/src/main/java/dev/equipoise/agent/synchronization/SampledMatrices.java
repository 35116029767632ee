package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.codec.RowChoice;
import dev.equipoise.agent.codec.Sliced;
import dev.equipoise.agent.codec.Words;
import dev.equipoise.agent.network.ParameterBlock;
import dev.equipoise.protocol.Compression;
import java.util.List;
import java.util.stream.IntStream;

/*
 * ALGORITHMS section 6, after Xiao and others 2017 and Li and others 2018: of the input layer the
 * rows of the words in the mini-batch, since the gradient of all others is zero; of the output layer
 * the words of the mini-batch, the frequent ones and some others; of what is between, some rows.
 */
/** Which rows and columns of a language model travel. */
record SampledMatrices(Compression.SampledRows settings, Participant participant) {

    SampledMatrices {
        if (!participant.plan().network().isLanguageModel()) {
            throw new IllegalArgumentException(
                    settings + " wants a language model, not " + participant.plan().network());
        }
    }

    /** Those of all layers, in the order of the flat vector. */
    List<Sliced> all() {
        List<ParameterBlock> blocks = participant.blocks();
        int last = blocks.size() - 1;
        return IntStream.rangeClosed(0, last)
                .mapToObj(i -> sliced(blocks.get(i), i == 0, i == last))
                .toList();
    }

    /** Biases lie behind the weights, as one more row. */
    private Sliced sliced(ParameterBlock block, boolean isFirst, boolean isLast) {
        Words words = participant.words();
        int rows = block.length() / block.columns();
        if (isFirst) {
            return Sliced.byRows(rows, block.columns(), words.inputs());
        }
        return isLast
                ? Sliced.byColumns(rows, block.columns(), output(words, block.columns()))
                : Sliced.byRows(rows, block.columns(), some(0, share(settings.hidden())));
    }

    /** Words are numbered by how frequent they are. */
    private RowChoice output(Words words, int vocabulary) {
        int frequent = Math.toIntExact(Math.round(settings.frequent() * vocabulary));
        return words.inputs()
                .and(words.labels())
                .and(RowChoice.first(frequent))
                .and(some(frequent, share(settings.others())));
    }

    private double share(double mean) {
        return settings.followLinks() && mean > 0
                ? new LinkShares(participant.plan()).of(participant.rank(), mean)
                : mean;
    }

    private static RowChoice some(int first, double share) {
        return share == 0 ? RowChoice.first(0) : RowChoice.sampledBehind(first, share);
    }
}
