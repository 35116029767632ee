package dev.equipoise.agent.dataset;

import dev.equipoise.protocol.dataset.DatasetSpec;
import java.net.http.HttpClient;

/**
 * Knows the data sets and gets them: from the places that the settings list, from the cache, or
 * from where they are published, into the cache. Several agents may share a cache.
 */
public final class DatasetRegistry {
    private final PublishedReader published;
    private final OwnReader own;

    public DatasetRegistry(DatasetSettings settings) {
        this(
                settings,
                new Fetcher(
                        HttpClient.newBuilder()
                                .connectTimeout(settings.connectTimeout())
                                .followRedirects(HttpClient.Redirect.NORMAL)
                                .build(),
                        Download.Limits.DEFAULT,
                        new NpmClient(settings.npm()),
                        new DebianClient(settings.apt(), "dpkg-deb")));
    }

    DatasetRegistry(DatasetSettings settings, Fetcher fetcher) {
        this.published = new PublishedReader(new Shelf(settings, fetcher));
        this.own = new OwnReader(settings);
    }

    /**
     * Gets the data of a definition, verified; only the files that are needed for so many training
     * samples.
     *
     * @param trainingSamples how many are used, from the first
     * @throws DatasetCorrupt if the first copy that was found is not what was published
     * @throws DatasetInvalid if the user's own files break a rule
     * @throws DatasetUnavailable if there is no copy and none can be fetched
     */
    public DatasetSplit load(DatasetSpec spec, int trainingSamples) {
        if (trainingSamples < 1 || trainingSamples > spec.trainingSamples()) {
            throw new IllegalArgumentException(
                    "training samples of %s must be from 1 to %d, but were %d"
                            .formatted(spec.name(), spec.trainingSamples(), trainingSamples));
        }
        return read(spec, trainingSamples).limit(trainingSamples);
    }

    private DatasetSplit read(DatasetSpec spec, int samples) {
        return switch (spec) {
            case DatasetSpec.Published set -> published.read(set, samples);
            case DatasetSpec.Idx idx -> own.read(idx);
            case DatasetSpec.Csv csv -> own.read(csv);
            case DatasetSpec.Synthetic synthetic -> SyntheticPatterns.of(synthetic, samples);
        };
    }
}
