package dev.equipoise.wrong.persistence;

import org.springframework.data.repository.CrudRepository;

/** Repository that a controller uses directly, which a rule forbids. */
interface RowRepository extends CrudRepository<Row, Long> {}
