package dev.equipoise.agent.dataset;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Folders and clients for finding and fetching data sets.
 *
 * @param places folders with one folder for each data set; never written to
 * @param cache folder with one folder for each fetched data set
 * @param npm npm client, by name or path
 * @param apt client for Debian packages, by name or path
 */
public record DatasetSettings(
        List<Path> places, Path cache, String npm, String apt, Duration connectTimeout) {

    /** Folder of data sets that Debian packages install. */
    private static final Path SYSTEM = Path.of("/usr/share/datasets");

    public DatasetSettings {
        places = List.copyOf(places);
    }

    /**
     * Reads the settings; {@code EQUIPOISE_DATASETS} may list several folders, like {@code PATH}.
     */
    public static DatasetSettings fromEnvironment(Map<String, String> environment) {
        String places = environment.getOrDefault("EQUIPOISE_DATASETS", "");
        return new DatasetSettings(
                Stream.concat(
                                Stream.of(places.split(File.pathSeparator))
                                        .filter(place -> !place.isBlank())
                                        .map(Path::of),
                                Stream.of(SYSTEM))
                        .toList(),
                caches(environment).resolve("equipoise").resolve("datasets"),
                "npm",
                "apt-get",
                Duration.ofSeconds(5));
    }

    private static Path caches(Map<String, String> environment) {
        String caches = environment.getOrDefault("XDG_CACHE_HOME", "");
        if (!caches.isBlank()) {
            return Path.of(caches);
        }
        String home = environment.getOrDefault("HOME", System.getProperty("user.home"));
        return Path.of(home, ".cache");
    }

    /** Returns the candidate folders of a data set, in the order of search. */
    List<Path> folders(String name) {
        return allPlaces().stream().map(place -> place.resolve(name)).toList();
    }

    /** Returns the places and the cache, in the order of search. */
    List<Path> allPlaces() {
        return Stream.concat(places.stream(), Stream.of(cache)).toList();
    }

    /** Returns the folders of all data sets; a place that cannot be read counts as empty. */
    List<Path> allFolders() {
        return allPlaces().stream().flatMap(DatasetSettings::foldersIn).toList();
    }

    private static Stream<Path> foldersIn(Path place) {
        try (Stream<Path> content = Files.list(place)) {
            return content.filter(Files::isDirectory).toList().stream();
        } catch (IOException | UncheckedIOException _) {
            return Stream.empty();
        }
    }
}
