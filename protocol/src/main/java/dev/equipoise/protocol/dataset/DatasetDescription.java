package dev.equipoise.protocol.dataset;

import dev.equipoise.protocol.dataset.Normalisation.Standardise;
import dev.equipoise.protocol.network.Shape;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A published data set: what it is, where it can be had, and under which terms.
 *
 * @param name in definitions
 * @param input of a network, where a definition says no more than the name
 * @param classes likewise
 * @param trainingSamples likewise
 * @param testSamples likewise
 * @param standardisation the usual means and deviations, where the samples are images
 */
public record DatasetDescription(
        String name,
        String title,
        Shape input,
        int classes,
        int trainingSamples,
        int testSamples,
        @Nullable Standardise standardisation,
        List<PublishedFile> files,
        List<Source> sources,
        String terms,
        String citation) {

    public DatasetDescription {
        files = List.copyOf(files);
        sources = List.copyOf(sources);
    }
}
