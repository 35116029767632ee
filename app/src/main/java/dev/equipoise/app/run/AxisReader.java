package dev.equipoise.app.run;

import java.util.Locale;
import org.springframework.core.convert.converter.Converter;
import org.springframework.stereotype.Component;

/** Reads axes in queries as they are written in answers. */
@Component
class AxisReader implements Converter<String, Axis> {

    @Override
    public Axis convert(String name) {
        if (!name.equals(name.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException("an axis must be in small letters, but was " + name);
        }
        return Axis.valueOf(name.toUpperCase(Locale.ROOT));
    }
}
