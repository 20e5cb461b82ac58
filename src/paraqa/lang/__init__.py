"""What paraqa knows about English and Chinese."""
