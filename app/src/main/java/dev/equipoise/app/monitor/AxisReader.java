package dev.equipoise.app.monitor;

import java.util.Locale;
import org.springframework.core.convert.converter.Converter;
import org.springframework.stereotype.Component;

/** Converts the axis names of queries, which are lower case as in responses. */
@Component
class AxisReader implements Converter<String, Axis> {

    @Override
    public Axis convert(String name) {
        if (!name.equals(name.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException("axis must be in lower case, but was " + name);
        }
        return Axis.valueOf(name.toUpperCase(Locale.ROOT));
    }
}
