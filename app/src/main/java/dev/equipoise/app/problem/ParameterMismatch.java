package dev.equipoise.app.problem;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.ConversionFailedException;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;

/** Describes why a parameter does not fit its type, in terms of the API. */
final class ParameterMismatch {

    private ParameterMismatch() {}

    /** Returns what must hold of the parameter, or of each of its values. */
    static String rule(MethodArgumentTypeMismatchException mismatch) {
        TypeDescriptor type = new TypeDescriptor(mismatch.getParameter());
        TypeDescriptor element = type.isCollection() ? type.getElementTypeDescriptor() : null;
        return "must be "
                + BodyMismatch.expected(Objects.requireNonNullElse(element, type).getType());
    }

    /** Returns the wrong value; of several values the first wrong one. */
    static @Nullable Object value(MethodArgumentTypeMismatchException mismatch) {
        return mismatch.getCause() instanceof ConversionFailedException failed
                ? failed.getValue()
                : mismatch.getValue();
    }
}
