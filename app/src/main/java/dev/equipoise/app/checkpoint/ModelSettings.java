package dev.equipoise.app.checkpoint;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of trained models, whose files are in the store of checkpoints.
 *
 * @param largest limit of a file, at least 1B
 */
@ConfigurationProperties("equipoise.model")
record ModelSettings(@DefaultValue("1GB") DataSize largest) {

    ModelSettings {
        if (largest.toBytes() < 1) {
            throw new IllegalArgumentException(
                    "equipoise.model.largest must be at least 1 byte, but was " + largest);
        }
    }
}
