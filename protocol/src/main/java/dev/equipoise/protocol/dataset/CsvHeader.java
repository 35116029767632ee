package dev.equipoise.protocol.dataset;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.jspecify.annotations.Nullable;

/** Header of CSV files: whether the first line of a file names its columns. */
public enum CsvHeader {
    /** The first line is a header if none of its cells is a number. */
    @JsonProperty("auto")
    AUTO,
    /** The first line is a header. */
    @JsonProperty("true")
    PRESENT,
    /** The first line is a sample. */
    @JsonProperty("false")
    ABSENT;

    /**
     * Leaves {@link #AUTO} out of JSON, so that configurations without a header keep their workload
     * keys.
     */
    @Retention(RetentionPolicy.RUNTIME)
    @JacksonAnnotationsInside
    @JsonInclude(value = JsonInclude.Include.CUSTOM, valueFilter = AutoFilter.class)
    @interface OmittedIfAuto {}

    /** Jackson omits values that equal this filter. */
    static final class AutoFilter {

        @Override
        public boolean equals(@Nullable Object value) {
            return value == AUTO;
        }

        @Override
        public int hashCode() {
            return AUTO.hashCode();
        }
    }

    /** Returns the header, or {@link #AUTO} where a stored data set has none. */
    static CsvHeader orAuto(@Nullable CsvHeader header) {
        return header == null ? AUTO : header;
    }
}
