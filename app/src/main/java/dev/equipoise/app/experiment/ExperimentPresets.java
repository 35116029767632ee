package dev.equipoise.app.experiment;

import static java.util.Comparator.comparing;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Suggestion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Reads the presets from the files {@code presets/NAME.yaml}. */
@Component
class ExperimentPresets {

    private static final String FILES = "classpath:/presets/*.yaml";
    private static final String EXTENSION = ".yaml";

    private final List<ExperimentPreset> presets;

    ExperimentPresets() {
        this.presets = read();
    }

    List<ExperimentPreset> all() {
        return presets;
    }

    /**
     * Finds a preset by name.
     *
     * @throws Problem {@code not-found}
     */
    ExperimentPreset find(String name) {
        return presets.stream()
                .filter(preset -> preset.name().equals(name))
                .findFirst()
                .orElseThrow(() -> missing(name));
    }

    private Problem missing(String name) {
        List<String> names = presets.stream().map(ExperimentPreset::name).toList();
        return Problem.of(
                ErrorCode.NOT_FOUND,
                "There is no preset %s%s".formatted(name, Suggestion.after(name, names)));
    }

    private static List<ExperimentPreset> read() {
        ObjectReader reader =
                YAMLMapper.builder()
                        .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                        .build()
                        .readerFor(ExperimentPreset.File.class);
        try {
            return Arrays.stream(new PathMatchingResourcePatternResolver().getResources(FILES))
                    .map(file -> read(file, reader))
                    .sorted(comparing(ExperimentPreset::name))
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException("the presets cannot be found", failure);
        }
    }

    private static ExperimentPreset read(Resource file, ObjectReader reader) {
        String fileName = Objects.requireNonNull(file.getFilename(), "found by its name");
        String name = fileName.substring(0, fileName.length() - EXTENSION.length());
        try (InputStream content = file.getInputStream()) {
            return ExperimentPreset.of(name, reader.readValue(content));
        } catch (IOException | JacksonException failure) {
            throw new IllegalStateException(
                    "the preset %s cannot be read: %s".formatted(name, failure.getMessage()),
                    failure);
        }
    }
}
