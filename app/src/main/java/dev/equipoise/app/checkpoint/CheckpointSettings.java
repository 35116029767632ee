package dev.equipoise.app.checkpoint;

import java.nio.file.Path;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of the module.
 *
 * @param folder where the files are; all instances of the service on one database must see it
 * @param largest that is taken
 * @param keptFree of the folder's disk, which others need too
 */
@ConfigurationProperties("equipoise.checkpoint")
record CheckpointSettings(
        Path folder,
        @DefaultValue("1GB") DataSize largest,
        @DefaultValue("256MB") DataSize keptFree) {

    CheckpointSettings {
        if (largest.toBytes() < 1 || largest.toBytes() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "equipoise.checkpoint.largest must be from 1 to %d bytes, but was %d"
                            .formatted(Integer.MAX_VALUE, largest.toBytes()));
        }
        if (keptFree.isNegative()) {
            throw new IllegalArgumentException(
                    "equipoise.checkpoint.kept-free must not be negative, but was " + keptFree);
        }
    }
}
