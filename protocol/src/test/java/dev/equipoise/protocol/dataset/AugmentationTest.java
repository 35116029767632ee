package dev.equipoise.protocol.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.equipoise.protocol.dataset.Augmentation.Crop;
import dev.equipoise.protocol.dataset.Augmentation.Flip;
import dev.equipoise.protocol.network.Shape.Image;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class AugmentationTest {

    private static final Normalization UNIT = new Normalization.Unit();
    private static final Augmentation RECIPE = new Augmentation(new Crop(4), Flip.HORIZONTAL);

    private final JsonMapper json = JsonMapper.builder().build();

    static Stream<DatasetSpec> images() {
        return Stream.of(
                new PublishedSpec.Mnist(UNIT, 9, RECIPE),
                new PublishedSpec.FashionMnist(UNIT, 9, RECIPE),
                new PublishedSpec.Cifar10(UNIT, 9, RECIPE),
                new PublishedSpec.Cifar100(UNIT, 9, RECIPE),
                new PublishedSpec.Optdigits(UNIT, 9, RECIPE),
                new OwnSpec.Idx("own", 8, 9, 2, 9, UNIT, 9, RECIPE),
                new DatasetSpec.Synthetic(List.of(8, 9, 3), 2, 9, 1, 9, RECIPE));
    }

    @ParameterizedTest
    @MethodSource("images")
    void survivesJson(DatasetSpec spec) {
        String text = json.writeValueAsString(spec);

        assertThat(json.readValue(text, DatasetSpec.class)).isEqualTo(spec);
        assertThat(json.readTree(text).path("augment"))
                .isEqualTo(json.readTree("{\"crop\": {\"padding\": 4}, \"flip\": \"horizontal\"}"));
    }

    /** Workload keys are digests of JSON: those of data sets without augmentation stay. */
    @ParameterizedTest
    @MethodSource("images")
    void dataSetsStoredWithoutAugmentationHaveNone(DatasetSpec spec) {
        ObjectNode stored = json.valueToTree(spec);
        stored.remove("augment");

        DatasetSpec plain = json.treeToValue(stored, DatasetSpec.class);

        assertThat(plain.augment()).isEqualTo(Augmentation.NONE);
        assertThat(json.<ObjectNode>valueToTree(plain)).isEqualTo(stored);
    }

    @Test
    void cropMustMeetTheImage() {
        assertThat(Augmentation.maxPadding(new Image(8, 5, 1))).isEqualTo(4);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new OwnSpec.Idx("own", 8, 4, 2, 9, UNIT, 9, RECIPE))
                .withMessage("padding must be from 0 to 3, but was 4");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Crop(-1))
                .withMessage("padding must be from 0 to 4095, but was -1");
    }

    @Test
    void vectorsHaveNoAugmentation() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new DatasetSpec.Synthetic(List.of(7), 2, 9, 1, 9, RECIPE))
                .withMessageStartingWith("augment needs images");
        assertThat(new OwnSpec.Csv("own", 5, 3, 9, UNIT, 9).augment()).isEqualTo(Augmentation.NONE);
    }
}
