package dev.equipoise.agent.dataset;

import dev.equipoise.protocol.DataFolders;
import dev.equipoise.protocol.dataset.Normalization;
import dev.equipoise.protocol.dataset.Normalization.Standardize;
import dev.equipoise.protocol.dataset.OwnSpec;
import dev.equipoise.protocol.dataset.OwnSpec.Csv;
import dev.equipoise.protocol.dataset.OwnSpec.Idx;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
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
    private static final List<String> TRAINING_FILES = List.of(IDX.getFirst(), CSV.getFirst());

    private final DatasetSettings settings;

    OwnReader(DatasetSettings settings) {
        this.settings = settings;
    }

    DatasetSplit read(Idx spec) {
        List<Content> files = open(spec.folder(), IDX);
        Dataset training = PublishedReader.images(spec, spec.input(), files.get(0), files.get(1));
        requireSamples(training, spec.samples(), files.getFirst());
        Dataset test = PublishedReader.images(spec, spec.input(), files.get(2), files.get(3));
        List<String> names = files.stream().map(file -> described(spec, file)).toList();
        return DatasetSplit.of(training, test)
                .from(new DatasetFiles(names.get(0), names.get(1), names.get(2), names.get(3)));
    }

    DatasetSplit read(Csv spec) {
        List<Content> files = open(spec.folder(), CSV);
        var labels = LabelColumn.of(spec.classes());
        var errors = new LineErrors();
        CsvRows first = parse(spec, files.getFirst(), labels, errors);
        CsvRows second = parse(spec, files.getLast(), labels, errors);
        requireSameColumns(first.columns(), second.columns(), files.getLast(), errors);
        errors.throwIfAny();
        List<String> classNames = labels.names(spec.folder());
        Dataset training = samples(spec, first, labels);
        requireSamples(training, spec.samples(), files.getFirst());
        String trainingFile = described(spec, files.getFirst());
        String testFile = described(spec, files.getLast());
        return DatasetSplit.of(training, samples(spec, second, labels))
                .named(classNames)
                .from(new DatasetFiles(trainingFile, trainingFile, testFile, testFile));
    }

    /** Describes a file by its folder, its name and its unpacked size, the same on every host. */
    private static String described(OwnSpec spec, Content file) {
        return "%s/%s (%d bytes)"
                .formatted(spec.folder(), file.file().getFileName(), file.bytes().length);
    }

    private static CsvRows parse(Csv spec, Content file, LabelColumn labels, LineErrors errors) {
        return new CsvParser(file, spec.features(), spec.header(), labels, errors).parse();
    }

    /** Requires that the headers of both files, if they have one, name the same columns. */
    private static void requireSameColumns(
            List<String> training, List<String> test, Content testFile, LineErrors errors) {
        for (int i = 0; i < Math.min(training.size(), test.size()); i++) {
            if (!training.get(i).equals(test.get(i))) {
                errors.add(
                        testFile,
                        1,
                        "column %d must be '%s', as in the training file, but was '%s'"
                                .formatted(
                                        i + 1,
                                        CsvCells.shown(training.get(i)),
                                        CsvCells.shown(test.get(i))));
                return;
            }
        }
    }

    private static Dataset samples(Csv spec, CsvRows rows, LabelColumn labels) {
        normalize(rows.values(), spec.features(), spec.normalisation());
        return FloatRows.of(
                spec.input(), spec.classes(), rows.values(), labels.numbers(rows.labels()));
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
                        .orElseThrow(() -> DatasetUnavailable.own(folder, attempts, folders()));
        return names.stream().map(name -> open(folder, find(found, name).orElseThrow())).toList();
    }

    private static Content open(String folder, Path file) {
        try {
            return Content.own(file);
        } catch (ZipException | EOFException e) {
            throw new DatasetInvalid("%s: is not a complete gzip file: %s".formatted(file, e));
        } catch (NoSuchFileException | AccessDeniedException e) {
            throw DatasetUnavailable.own(folder, file, e);
        } catch (IOException e) {
            throw new DatasetUnavailable(folder, file, e);
        }
    }

    List<Path> places() {
        return settings.allPlaces();
    }

    /**
     * Returns the names of all folders with a training file that a definition can name, sorted; a
     * folder that cannot be read counts as empty.
     */
    List<String> folders() {
        return settings.allFolders().stream()
                .filter(OwnReader::hasTrainingFile)
                .map(folder -> String.valueOf(folder.getFileName()))
                .filter(DataFolders::isName)
                .distinct()
                .sorted()
                .toList();
    }

    private static boolean hasTrainingFile(Path folder) {
        return TRAINING_FILES.stream().anyMatch(name -> find(folder, name).isPresent());
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
