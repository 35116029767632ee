package dev.equipoise.app.patch;

/**
 * JSON merge patch (RFC 7396). Its record has a nullable component for each field, read by {@link
 * DeletableField} or {@link RequiredField}: a component is null if the patch leaves the field out,
 * so that the field keeps its value.
 */
public final class MergePatch {

    /** Media type of a JSON merge patch. Bodies of type {@code application/json} are the same. */
    public static final String MEDIA_TYPE = "application/merge-patch+json";

    private MergePatch() {}
}
