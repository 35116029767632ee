package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.codec.RowSampledMatrix;
import dev.equipoise.agent.codec.RowSelection;
import dev.equipoise.agent.codec.TouchedRows;
import dev.equipoise.agent.network.ParameterBlock;
import dev.equipoise.protocol.Compression;
import java.util.List;
import java.util.stream.IntStream;

/*
 * docs/algorithms.md, section 6, after Xiao and others 2017 and Li and others 2018. Of the input
 * layer, send the rows of the words in the mini-batch, since all other gradients are zero; of the
 * output layer, the words of the mini-batch, the frequent ones and some others; of the layers
 * between, some rows.
 */
/** Selection of the matrix rows and columns of a language model that are sent. */
record SampledMatrices(Compression.SampledRows settings, RankContext context) {

    SampledMatrices {
        if (!context.plan().network().isLanguageModel()) {
            throw new IllegalArgumentException(
                    settings
                            + " needs a language model, but the network is "
                            + context.plan().network());
        }
    }

    /** Returns the matrices of all layers, in the order of the flat vector. */
    List<RowSampledMatrix> all() {
        List<ParameterBlock> blocks = context.blocks();
        int last = blocks.size() - 1;
        return IntStream.rangeClosed(0, last)
                .mapToObj(i -> sampled(blocks.get(i), i == 0, i == last))
                .toList();
    }

    /** Biases follow the weights, as one more row. */
    private RowSampledMatrix sampled(ParameterBlock block, boolean isFirst, boolean isLast) {
        TouchedRows touched = context.touchedRows().orElseThrow();
        int rows = block.length() / block.columns();
        if (isFirst) {
            return RowSampledMatrix.byRows(rows, block.columns(), touched.inputs());
        }
        return isLast
                ? RowSampledMatrix.byColumns(
                        rows, block.columns(), output(touched, block.columns()))
                : RowSampledMatrix.byRows(
                        rows, block.columns(), sample(0, share(settings.hidden())));
    }

    /** Words are numbered by falling frequency. */
    private RowSelection output(TouchedRows touched, int vocabulary) {
        int frequent = Math.toIntExact(Math.round(settings.frequent() * vocabulary));
        return touched.inputs()
                .and(touched.labels())
                .and(RowSelection.first(frequent))
                .and(sample(frequent, share(settings.others())));
    }

    private double share(double mean) {
        return settings.followLinks() && mean > 0
                ? new LinkShares(context.plan()).of(context.rank(), mean)
                : mean;
    }

    private static RowSelection sample(int first, double share) {
        return share == 0 ? RowSelection.first(0) : RowSelection.sampledBehind(first, share);
    }
}
