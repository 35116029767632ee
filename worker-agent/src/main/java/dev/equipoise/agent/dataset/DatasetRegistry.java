package dev.equipoise.agent.dataset;

import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.dataset.OwnSpec;
import dev.equipoise.protocol.dataset.PublishedSpec;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.List;

/**
 * Loads data sets from the configured folders, from the cache, or from their publishers into the
 * cache. Several agents may share a cache.
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
        this.published = new PublishedReader(new DatasetLocator(settings, fetcher));
        this.own = new OwnReader(settings);
    }

    /**
     * Loads and verifies the data of a definition; only files with the wanted training samples are
     * fetched.
     *
     * @param trainingSamples number of training samples, from the first
     * @throws DatasetCorrupt when the first copy found differs from the published one
     * @throws DatasetInvalid when the user's files break a rule
     * @throws DatasetUnavailable when there is no copy and none can be fetched
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
            case PublishedSpec set ->
                    published.read(set, samples).from(DatasetFiles.of(spec.name()));
            case OwnSpec.Idx idx -> own.read(idx);
            case OwnSpec.Csv csv -> own.read(csv);
            case DatasetSpec.Synthetic synthetic -> SyntheticPatterns.of(synthetic, samples);
        };
    }

    /** Returns the places where data folders are looked up, in the order of search. */
    public List<Path> places() {
        return own.places();
    }

    /**
     * Returns the names of the user's own data folders on this host, sorted: those with a training
     * file. Any thread may call.
     */
    public List<String> folders() {
        return own.folders();
    }
}
