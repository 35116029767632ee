package dev.equipoise.app.run;

import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Field in which runs differ.
 *
 * @param path dotted path of the field
 * @param name shortest name of the field, as labels have it
 * @param written whether a definition writes the field; false if its values follow from others
 * @param values values of the runs, in their order; null if a run lacks the field
 */
public record FieldDifference(
        String path,
        String name,
        boolean written,
        @ArraySchema(schema = @Schema(types = {"string", "null"})) List<@Nullable String> values) {

    public FieldDifference {
        values = Collections.unmodifiableList(new ArrayList<>(values));
    }
}
