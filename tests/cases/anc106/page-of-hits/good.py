from elasticsearch import ConnectionTimeout, Elasticsearch, NotFoundError


class Stuck(Exception):
    pass


def more(es: Elasticsearch, handle: str):
    try:
        page = es.scroll(scroll_id=handle, scroll="5m")
    except NotFoundError:
        raise Stuck("the search context is gone") from None
    except ConnectionTimeout:
        raise Stuck("search did not answer") from None
    return page["hits"]["hits"]
