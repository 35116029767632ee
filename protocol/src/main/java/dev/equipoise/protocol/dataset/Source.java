package dev.equipoise.protocol.dataset;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.net.URI;

/** Public source of a data set. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Source.Folder.class, name = "folder"),
    @JsonSubTypes.Type(value = Source.Archive.class, name = "archive")
})
public sealed interface Source {

    URI address();

    /**
     * A web folder with the files.
     *
     * @param address address of the folder
     * @param suffix suffix of the files there, {@code .gz} if they are packed
     */
    record Folder(URI address, String suffix) implements Source {}

    /**
     * A packed archive with the files.
     *
     * @param address address of the archive
     * @param md5 MD5 digest of the archive
     * @param folder folder of the files in the archive
     */
    record Archive(URI address, String md5, String folder) implements Source {

        public String name() {
            String path = address.getPath();
            return path.substring(path.lastIndexOf('/') + 1);
        }
    }
}
