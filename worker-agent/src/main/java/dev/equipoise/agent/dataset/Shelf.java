package dev.equipoise.agent.dataset;

import dev.equipoise.protocol.dataset.PublishedFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the files of published data sets on this machine, or gets them into the cache. */
final class Shelf {
    private static final Logger LOG = LoggerFactory.getLogger(Shelf.class);

    private final DatasetSettings settings;
    private final Fetcher fetcher;

    Shelf(DatasetSettings settings, Fetcher fetcher) {
        this.settings = settings;
        this.fetcher = fetcher;
    }

    /**
     * A folder with all the wanted files, not yet verified.
     *
     * @throws DatasetUnavailable if there is none and they cannot be fetched
     */
    LocalCopy get(Publication publication, List<PublishedFile> wanted) {
        List<String> attempts = new ArrayList<>();
        Path folder =
                find(publication, wanted, attempts)
                        .orElseGet(() -> fetch(publication, wanted, attempts));
        LOG.info("dataset found: {} in {}", publication.name(), folder);
        return new LocalCopy(publication, folder);
    }

    private Optional<Path> find(
            Publication publication, List<PublishedFile> wanted, List<String> attempts) {
        return settings.folders(publication.name()).stream()
                .filter(folder -> holds(folder, publication, wanted, attempts))
                .findFirst();
    }

    private static boolean holds(
            Path folder,
            Publication publication,
            List<PublishedFile> wanted,
            List<String> attempts) {
        if (!Files.isDirectory(folder)) {
            attempts.add(folder + ": no such folder");
            return false;
        }
        List<PublishedFile> missing = publication.missingFrom(folder, wanted);
        missing.forEach(file -> attempts.add(folder.resolve(file.name()) + "[.gz]: no such file"));
        return missing.isEmpty();
    }

    private Path fetch(Publication publication, List<PublishedFile> wanted, List<String> attempts) {
        Path folder = settings.cache().resolve(publication.name());
        attempts.addAll(fetcher.fetch(publication, wanted, folder));
        if (!publication.missingFrom(folder, wanted).isEmpty()) {
            throw new DatasetUnavailable(publication.name(), attempts);
        }
        return folder;
    }
}
