package dev.equipoise.app.file;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The disk of a folder; of its nearest existing ancestor, if the folder does not exist yet.
 *
 * @param folder where the service stores its data
 */
record FolderDisk(Path folder) implements DataDisk {

    @Override
    public DiskSpace space() {
        for (Path place = folder.toAbsolutePath(); place != null; place = place.getParent()) {
            if (Files.exists(place)) {
                // Not from its FileStore, which is not found if the root is no mount, as in a
                // chroot.
                return new DiskSpace(place.toFile().getUsableSpace());
            }
        }
        throw new IllegalStateException(
                "%s and all folders above it are missing".formatted(folder));
    }
}
