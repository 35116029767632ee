package dev.equipoise.protocol.dataset;

import dev.equipoise.protocol.dataset.Normalization.Standardize;
import dev.equipoise.protocol.network.Shape;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Description of a published data set with its sources and terms.
 *
 * @param name name in definitions
 * @param title title of the data set
 * @param input default input shape of a network
 * @param classes default number
 * @param trainingSamples default number
 * @param testSamples default number
 * @param standardisation usual means and standard deviations of image data sets
 * @param files published files
 * @param sources places from which agents fetch the files, tried in order
 * @param terms terms of use
 * @param citation publication to cite
 */
public record DatasetDescription(
        String name,
        String title,
        Shape input,
        int classes,
        int trainingSamples,
        int testSamples,
        @Nullable Standardize standardisation,
        List<PublishedFile> files,
        List<Source> sources,
        String terms,
        String citation) {

    public DatasetDescription {
        files = List.copyOf(files);
        sources = List.copyOf(sources);
    }
}
