package dev.equipoise.agent.dataset;

import dev.equipoise.protocol.dataset.Normalization;
import dev.equipoise.protocol.dataset.Normalization.Standardize;
import dev.equipoise.protocol.dataset.OwnSpec.Csv;
import dev.equipoise.protocol.dataset.OwnSpec.Idx;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.ZipException;

/** Reads the user's own data sets from a folder below one of the configured places. */
final class OwnReader {
    private static final List<String> IDX =
            List.of(
                    "train-images-idx3-ubyte",
                    "train-labels-idx1-ubyte",
                    "t10k-images-idx3-ubyte",
                    "t10k-labels-idx1-ubyte");
    private static final List<String> CSV = List.of("train.csv", "test.csv");

    private final DatasetSettings settings;

    OwnReader(DatasetSettings settings) {
        this.settings = settings;
    }

    DatasetSplit read(Idx spec) {
        List<Content> files = open(spec.folder(), IDX);
        Dataset training = PublishedReader.images(spec, spec.input(), files.get(0), files.get(1));
        requireSamples(training, spec.samples(), files.getFirst());
        return DatasetSplit.of(
                training, PublishedReader.images(spec, spec.input(), files.get(2), files.get(3)));
    }

    DatasetSplit read(Csv spec) {
        List<Content> files = open(spec.folder(), CSV);
        Dataset training = rows(spec, files.getFirst());
        requireSamples(training, spec.samples(), files.getFirst());
        return DatasetSplit.of(training, rows(spec, files.getLast()));
    }

    private static Dataset rows(Csv spec, Content file) {
        CsvFile.Rows rows = new CsvFile(file, spec.features(), spec.classes()).read();
        normalize(rows.values(), spec.features(), spec.normalisation());
        return FloatRows.of(spec.input(), spec.classes(), rows.values(), rows.labels());
    }

    private static void normalize(float[] values, int features, Normalization normalization) {
        if (normalization instanceof Standardize standardization) {
            for (int i = 0; i < values.length; i++) {
                int feature = i % features;
                values[i] =
                        (float)
                                ((values[i] - standardization.mean(feature))
                                        / standardization.deviation(feature));
            }
        }
    }

    private static void requireSamples(Dataset training, int required, Content file) {
        if (training.size() < required) {
            throw new DatasetInvalid(
                    "%s: must hold the %d samples of the definition, but holds %d"
                            .formatted(file.file(), required, training.size()));
        }
    }

    private List<Content> open(String folder, List<String> names) {
        List<String> attempts = new ArrayList<>();
        Path found =
                settings.folders(folder).stream()
                        .filter(candidate -> holds(candidate, names, attempts))
                        .findFirst()
                        .orElseThrow(() -> new DatasetUnavailable(folder, attempts));
        return names.stream().map(name -> open(folder, find(found, name).orElseThrow())).toList();
    }

    private static Content open(String folder, Path file) {
        try {
            return Content.own(file);
        } catch (ZipException | EOFException e) {
            throw new DatasetInvalid("%s: is not a complete gzip file: %s".formatted(file, e));
        } catch (IOException e) {
            throw new DatasetUnavailable(folder, file, e);
        }
    }

    private static boolean holds(Path folder, List<String> names, List<String> attempts) {
        if (!Files.isDirectory(folder)) {
            attempts.add(folder + ": no such folder");
            return false;
        }
        List<String> missing = names.stream().filter(name -> find(folder, name).isEmpty()).toList();
        missing.forEach(name -> attempts.add(folder.resolve(name) + "[.gz]: no such file"));
        return missing.isEmpty();
    }

    private static Optional<Path> find(Path folder, String name) {
        return Stream.of(name, name + ".gz")
                .map(folder::resolve)
                .filter(Files::isRegularFile)
                .findFirst();
    }
}
