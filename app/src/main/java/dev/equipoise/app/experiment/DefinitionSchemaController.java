package dev.equipoise.app.experiment;

import io.swagger.v3.oas.annotations.headers.Header;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Serves the JSON Schema of definitions to anybody, as editors send no token. */
@Tag(name = "Catalog")
@RestController
@RequestMapping("/api/v1/schema/definition")
class DefinitionSchemaController {

    private static final String SCHEMA_JSON = "application/schema+json";

    private final DefinitionSchema schema;

    DefinitionSchemaController(DefinitionSchema schema) {
        this.schema = schema;
    }

    /**
     * Returns the JSON Schema of definitions, by which editors complete and check them. It changes
     * only with the version of the service.
     *
     * @param ifNoneMatch ETag of the schema that the caller has
     */
    @ApiResponse(
            responseCode = "200",
            description = "The schema, by draft 2020-12 of JSON Schema",
            headers = @Header(name = HttpHeaders.ETAG, schema = @Schema(type = "string")),
            content = {
                @Content(mediaType = SCHEMA_JSON, schema = @Schema(type = "object")),
                @Content(
                        mediaType = MediaType.APPLICATION_JSON_VALUE,
                        schema = @Schema(type = "object"))
            })
    @ApiResponse(responseCode = "304", description = "If-None-Match names it", content = @Content)
    @GetMapping(produces = {SCHEMA_JSON, MediaType.APPLICATION_JSON_VALUE})
    ResponseEntity<byte[]> getDefinitionSchema(
            @RequestHeader(name = HttpHeaders.IF_NONE_MATCH, required = false)
                    @Nullable String ifNoneMatch) {
        // Spring answers 304 itself to weak tags and lists of tags.
        return schema.tag().equals(ifNoneMatch)
                ? ResponseEntity.status(HttpStatus.NOT_MODIFIED).eTag(schema.tag()).build()
                : ResponseEntity.ok()
                        .cacheControl(CacheControl.noCache())
                        .eTag(schema.tag())
                        .body(schema.json());
    }
}
