package dev.equipoise.app.problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.convert.ConversionFailedException;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.support.DefaultConversionService;

class EnumParametersTest {

    enum Order {
        OLDEST,
        @JsonProperty("newest-first")
        NEWEST
    }

    private static final TypeDescriptor TEXT = TypeDescriptor.valueOf(String.class);
    private static final TypeDescriptor ORDERS =
            TypeDescriptor.collection(Set.class, TypeDescriptor.valueOf(Order.class));

    private final DefaultConversionService conversions = new DefaultConversionService();

    EnumParametersTest() {
        conversions.addConverter(new EnumParameters());
    }

    @ParameterizedTest
    @CsvSource({
        "OLDEST, OLDEST",
        "oldest, OLDEST",
        "newest-first, NEWEST",
        "Newest-First, NEWEST",
    })
    void nameInJsonCountsWhateverItsCase(String text, Order order) {
        assertThat(conversions.convert(text, Order.class)).isEqualTo(order);
    }

    @Test
    void listHasEachOfItsConstants() {
        assertThat(conversions.convert("oldest, newest-first", TEXT, ORDERS))
                .isEqualTo(Set.of(Order.OLDEST, Order.NEWEST));
    }

    @Test
    void emptyTextIsNoConstant() {
        assertThat(conversions.convert(" ", Order.class)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"NEWEST", "old", "0"})
    void otherTextNamesTheConstants(String text) {
        assertThatThrownBy(() -> conversions.convert(text, Order.class))
                .isInstanceOf(ConversionFailedException.class)
                .hasRootCauseMessage(text + " is not one of [OLDEST, newest-first]");
    }
}
