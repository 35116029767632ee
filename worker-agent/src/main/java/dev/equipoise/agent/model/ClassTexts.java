package dev.equipoise.agent.model;

import dev.equipoise.protocol.DisplayText;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Texts of classes and of their values in an output.
 *
 * @param names in the order of the labels; empty if the classes have numbers only
 * @param top number of classes of each prediction
 * @param value name of a candidate's value: probability or score
 */
record ClassTexts(List<String> names, int top, String value) {

    ClassTexts {
        names = names.stream().map(DisplayText::clean).toList();
    }

    String name(int label) {
        return label < names.size() ? names.get(label) : Integer.toString(label);
    }

    /** Returns the name of a label; empty without a label. */
    String nameOf(@Nullable Integer label) {
        return label == null ? "" : name(label);
    }

    /** Returns a value with four decimal places; empty without a value. */
    static String shown(@Nullable Double value) {
        return value == null ? "" : String.format(Locale.ROOT, "%.4f", value);
    }
}
