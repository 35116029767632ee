package dev.equipoise.app.experiment;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.problem.Violation;
import dev.equipoise.protocol.dataset.Augmentation;
import dev.equipoise.protocol.dataset.CsvHeader;
import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.dataset.Normalization;
import dev.equipoise.protocol.dataset.OwnSpec;
import dev.equipoise.protocol.dataset.PublishedDatasets;
import dev.equipoise.protocol.dataset.PublishedSpec;
import dev.equipoise.protocol.dataset.PublishedSpec.Brown;
import dev.equipoise.protocol.dataset.PublishedSpec.Brown.View;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

class DatasetReaderTest {

    private static final ObjectMapper YAML = YAMLMapper.builder().build();
    private static final ObjectMapper JSON = JsonMapper.builder().build();
    private static final Normalization UNIT = new Normalization.Unit();

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '|',
            value = {
                "mnist; {name: mnist, normalisation: {kind: unit}, limit: 60000}",
                "fashion-mnist; {name: fashion-mnist, normalisation: {kind: unit}, limit: 60000}",
                "cifar-10; {name: cifar-10, normalisation: {kind: unit}, limit: 50000}",
                "cifar-100; {name: cifar-100, normalisation: {kind: unit}, limit: 50000}",
                "optdigits; {name: optdigits, normalisation: {kind: unit}, limit: 3823}",
                "nettalk; {name: nettalk, limit: 132418}",
                "brown; {name: brown, view: windows, vocabulary: 10000, length: 4, limit: 928291}",
                "brown, view: sequences; {name: brown, view: sequences, vocabulary: 10000,"
                        + " length: 20, limit: 46414}",
                "csv, folder: my-data, features: 64, classes: 10, samples: 3823; {name: csv,"
                        + " folder: my-data, features: 64, classes: 10, samples: 3823,"
                        + " normalisation: {kind: unit}, limit: 3823}",
                "idx, folder: a.b, height: 8, width: 9, classes: 2, samples: 5; {name: idx,"
                        + " folder: a.b, height: 8, width: 9, classes: 2, samples: 5,"
                        + " normalisation: {kind: unit}, limit: 5}",
                "cifar-10, augment: {crop: {padding: 4}}; {name: cifar-10, normalisation:"
                        + " {kind: unit}, limit: 50000,"
                        + " augment: {crop: {padding: 4}, flip: none}}",
                "synthetic, features: 7; {name: synthetic, shape: [7], classes: 10,"
                        + " samples: 1000, seed: 1, limit: 1000}",
                "synthetic, shape: [8, 8, 1], limit: 9; {name: synthetic, shape: [8, 8, 1],"
                        + " classes: 10, samples: 1000, seed: 1, limit: 9}"
            },
            delimiter = ';')
    void defaultsAreWrittenOut(String shortest, String resolved) {
        DatasetSpec spec = read("{name: %s}".formatted(shortest));

        assertThat(JSON.readTree(JSON.writeValueAsString(spec))).isEqualTo(YAML.readTree(resolved));
        assertThat(read(resolved)).isEqualTo(spec);
        assertThat(JSON.readValue(JSON.writeValueAsString(spec), DatasetSpec.class))
                .isEqualTo(spec);
    }

    @Test
    void limitOfAWindowedTextIsItsNumberOfWindows() {
        assertThat(read("{name: brown, view: sequences, length: 50, limit: 18565}"))
                .isEqualTo(new Brown(View.SEQUENCES, 10_000, 50, 18_565));
        assertThat(broken("{name: brown, view: sequences, length: 50, limit: 18566}"))
                .containsExactly("/limit must be from 1 to 18565 (18566)");
    }

    @Test
    void augmentationIsReadForAllImages() {
        var recipe = new Augmentation(new Augmentation.Crop(4), Augmentation.Flip.HORIZONTAL);
        for (String images :
                List.of(
                        "mnist",
                        "fashion-mnist",
                        "cifar-10",
                        "cifar-100",
                        "optdigits",
                        "idx, folder: f, height: 8, width: 9, classes: 2, samples: 5",
                        "synthetic, shape: [8, 8, 1]")) {
            DatasetSpec spec =
                    read(
                            "{name: %s, augment: {crop: {padding: 4}, flip: horizontal}}"
                                    .formatted(images));

            assertThat(spec.augment()).as(images).isEqualTo(recipe);
            assertThat(read(JSON.writeValueAsString(spec))).isEqualTo(spec);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nettalk",
                "brown",
                "csv, folder: f, features: 3, classes: 2, samples: 9",
                "synthetic, features: 7"
            })
    void augmentationNeedsImages(String samples) {
        assertThat(broken("{name: %s, augment: {flip: horizontal}}".formatted(samples)))
                .containsExactly(
                        "/augment must be omitted, since only images can be cropped and flipped"
                                + " ({\"flip\":\"horizontal\"})");
        assertThat(read("{name: %s}".formatted(samples)).augment()).isEqualTo(Augmentation.NONE);
    }

    @ParameterizedTest
    @CsvSource({
        "auto, AUTO",
        "true, PRESENT",
        "false, ABSENT",
        "'\"true\"', PRESENT",
        "'\"false\"', ABSENT"
    })
    void headerOfCsvFilesIsReadAndKept(String header, CsvHeader expected) {
        DatasetSpec spec =
                read(
                        "{name: csv, folder: f, features: 3, classes: 2, samples: 9, header: %s}"
                                .formatted(header));

        assertThat(spec).isEqualTo(new OwnSpec.Csv("f", 3, 2, 9, UNIT, 9, expected));
        assertThat(read(JSON.writeValueAsString(spec))).isEqualTo(spec);
        assertThat(JSON.writeValueAsString(spec).contains("header"))
                .isEqualTo(expected != CsvHeader.AUTO);
    }

    @Test
    void headerIsTrueFalseOrAuto() {
        for (String header : List.of("maybe", "1", "[]")) {
            assertThat(
                            broken(
                                    "{name: csv, folder: f, features: 3, classes: 2, samples: 9,"
                                            + " header: %s}".formatted(header)))
                    .containsExactly("/header must be auto, true or false (%s)".formatted(header));
        }
        assertThat(
                        broken(
                                "{name: idx, folder: f, height: 1, width: 1, classes: 2, samples:"
                                        + " 9, header: true}"))
                .singleElement()
                .asString()
                .startsWith("/header is not a field");
    }

    @Test
    void violationsOfAnAugmentationAreReportedAtOnce() {
        assertThat(
                        broken(
                                "{name: cifar-10, augment: {crop: {padding: 32, size: 28}, flip:"
                                        + " vertical, rotate: 5}}"))
                .containsExactly(
                        "/augment/crop/padding must be from 0 to 31 (32)",
                        "/augment/flip must be one of [none, horizontal] (vertical)",
                        "/augment/crop/size is not a field; the fields here are [padding] (28)",
                        "/augment/rotate is not a field; the fields here are [crop, flip] (5)");
        assertThat(
                        broken(
                                "{name: synthetic, shape: [8, 4, 1], augment: {crop: {padding:"
                                        + " 4}}}"))
                .containsExactly("/augment/crop/padding must be from 0 to 3 (4)");
        assertThat(broken("{name: mnist, augment: flip}"))
                .containsExactly("/augment must be an object (flip)");
    }

    @Test
    void standardizationDefaultsToPublishedConstants() {
        assertThat(read("{name: cifar-10, normalisation: standardise}"))
                .isEqualTo(
                        new PublishedSpec.Cifar10(
                                requireNonNull(PublishedDatasets.CIFAR_10.standardisation()),
                                50_000));
        assertThat(
                        read(
                                "{name: mnist, normalisation: {kind: standardise, mean: 0.5,"
                                        + " deviation: [2]}}"))
                .isEqualTo(
                        new PublishedSpec.Mnist(
                                new Normalization.Standardize(List.of(0.5), List.of(2.0)), 60_000));
        assertThat(broken("{name: mnist, normalisation: {kind: unit, mean: 1}}"))
                .containsExactly(
                        "/normalisation/mean is not a field; the fields here are [kind] (1)");
    }

    @Test
    void standardizationOfCustomDataNeedsConstants() {
        assertThat(
                        broken(
                                "{name: csv, folder: f, features: 3, classes: 2, samples: 9,"
                                        + " normalisation: standardise}"))
                .containsExactly(
                        "/normalisation/mean must be given (null)",
                        "/normalisation/deviation must be given (null)");
        assertThat(
                        broken(
                                "{name: csv, folder: f, features: 3, classes: 2, samples: 9,"
                                        + " normalisation: {kind: standardise, mean: [1, 2, 3],"
                                        + " deviation: 1}}"))
                .containsExactly(
                        "/normalisation/deviation must have as many numbers as mean, 3 (1)");
        assertThat(
                        broken(
                                "{name: csv, folder: f, features: 3, classes: 2, samples: 9,"
                                        + " normalisation: {kind: standardise, mean: [1, 2],"
                                        + " deviation: [1, 0, x]}}"))
                .containsExactly(
                        "/normalisation/mean must be a list of 1 or 3 numbers ([1,2])",
                        "/normalisation/deviation/1 must be a number from 1.0E-6 to 1000000.0 (0)",
                        "/normalisation/deviation/2 must be a number from 1.0E-6 to 1000000.0 (x)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"../up", "a/b", "/etc", "..", ".hidden", "a..b", "C:x", "a b"})
    void folderMustBeAPlainName(String folder) {
        assertThat(
                        broken(
                                "{name: csv, folder: '%s', features: 3, classes: 2, samples: 9}"
                                        .formatted(folder)))
                .singleElement()
                .asString()
                .startsWith("/folder must be the plain name of a folder")
                .endsWith("(" + folder + ")");
    }

    @Test
    void allViolationsAreReportedAtOnce() {
        assertThat(
                        broken(
                                "{name: idx, folder: ok, height: 0, width: 5000, classes: 257,"
                                        + " samples: many, normalisation: bright, colour: red}"))
                .containsExactly(
                        "/height must be from 1 to 4096 (0)",
                        "/width must be from 1 to 4096 (5000)",
                        "/classes must be from 2 to 256 (257)",
                        "/samples must be a whole number (many)",
                        "/normalisation/kind must be one of [unit, standardise] (bright)",
                        "/colour is not a field; the fields here are [augment, classes, folder,"
                                + " height, limit, name, normalisation, samples, width] (red)");
        assertThat(broken("{name: csv}"))
                .containsExactly(
                        "/folder must be given (null)",
                        "/features must be given (null)",
                        "/classes must be given (null)",
                        "/samples must be given (null)");
    }

    @Test
    void sizeOfADataSetIsLimited() {
        assertThat(broken("{name: csv, folder: f, features: 100000, classes: 2, samples: 2685}"))
                .containsExactly("/samples must be from 1 to 1342 (2685)");
        assertThat(broken("{name: synthetic, shape: [99999, 99999, 99999]}"))
                .singleElement()
                .asString()
                .startsWith("/shape must be whole numbers whose product is at most 67108864");
        assertThat(broken("{name: synthetic, shape: [2.5]}")).hasSize(1);
        assertThat(broken("{name: synthetic, shape: [2, 3]}"))
                .containsExactly("/shape must be a list of 1 or 3 numbers ([2,3])");
        assertThat(broken("{name: synthetic}")).containsExactly("/shape must be given (null)");
        assertThat(broken("{name: synthetic, features: 1, shape: [1]}"))
                .singleElement()
                .asString()
                .startsWith("/features is not a field");
    }

    @Test
    void fieldsOfAnUnknownDataSetAreNotReported() {
        assertThat(broken("{name: imagenet, colour: red}"))
                .singleElement()
                .asString()
                .startsWith("/name must be one of [brown, cifar-10,");
        assertThat(read("{name: mnist}")).isEqualTo(new PublishedSpec.Mnist(UNIT, 60_000));
    }

    private static DatasetSpec read(String yaml) {
        List<Violation> violations = new ArrayList<>();
        DatasetSpec spec = DatasetReader.read(JsonFieldReader.of(YAML.readTree(yaml), violations));
        assertThat(violations).isEmpty();
        return spec;
    }

    private static List<String> broken(String yaml) {
        List<Violation> violations = new ArrayList<>();
        DatasetReader.read(JsonFieldReader.of(YAML.readTree(yaml), violations));
        return violations.stream()
                .map(it -> "%s %s (%s)".formatted(it.pointer(), it.rule(), it.value()))
                .toList();
    }
}
