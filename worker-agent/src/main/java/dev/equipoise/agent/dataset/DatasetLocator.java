package dev.equipoise.agent.dataset;

import dev.equipoise.protocol.dataset.PublishedFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the files of published data sets on this host, or fetches them into the cache. */
final class DatasetLocator {
    private static final Logger log = LoggerFactory.getLogger(DatasetLocator.class);

    private final DatasetSettings settings;
    private final Fetcher fetcher;

    DatasetLocator(DatasetSettings settings, Fetcher fetcher) {
        this.settings = settings;
        this.fetcher = fetcher;
    }

    /**
     * Returns a folder with all wanted files, not yet verified.
     *
     * @throws DatasetUnavailable when no folder has them and they cannot be fetched
     */
    LocalCopy get(PublishedDataset dataset, List<PublishedFile> wanted) {
        List<String> attempts = new ArrayList<>();
        Path folder =
                find(dataset, wanted, attempts).orElseGet(() -> fetch(dataset, wanted, attempts));
        log.info("data set {} found in {}", dataset.name(), folder);
        return new LocalCopy(dataset, folder);
    }

    private Optional<Path> find(
            PublishedDataset dataset, List<PublishedFile> wanted, List<String> attempts) {
        return settings.folders(dataset.name()).stream()
                .filter(folder -> holds(folder, dataset, wanted, attempts))
                .findFirst();
    }

    private static boolean holds(
            Path folder,
            PublishedDataset dataset,
            List<PublishedFile> wanted,
            List<String> attempts) {
        if (!Files.isDirectory(folder)) {
            attempts.add(folder + ": no such folder");
            return false;
        }
        List<PublishedFile> missing = dataset.missingFrom(folder, wanted);
        missing.forEach(file -> attempts.add(folder.resolve(file.name()) + "[.gz]: no such file"));
        return missing.isEmpty();
    }

    private Path fetch(
            PublishedDataset dataset, List<PublishedFile> wanted, List<String> attempts) {
        Path folder = settings.cache().resolve(dataset.name());
        attempts.addAll(fetcher.fetch(dataset, wanted, folder));
        if (!dataset.missingFrom(folder, wanted).isEmpty()) {
            throw new DatasetUnavailable(dataset.name(), attempts);
        }
        return folder;
    }
}
